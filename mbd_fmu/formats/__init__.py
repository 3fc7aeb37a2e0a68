"""Robots from files of other tools: each format reads into the table that a model file is.

    urdf, sdf, mjcf  ->  robots  ->  tables  (+ overlays)  ->  the reader of model files

A reader accounts for every element of its file: it is mapped to something, or stands in the report
as ignored on purpose, or is unknown and refused. All checks of our own model file follow.
"""
