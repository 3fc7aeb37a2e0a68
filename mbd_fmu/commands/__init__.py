"""The commands of ``mbd-fmu``, one file each: what it is for, what it takes, what it does.

Help and refusals come at once because these files import nothing heavy; a command imports what it
works with when it runs.
"""
