"""The mechanism as an input-output system: variables, start values, states, equations."""
