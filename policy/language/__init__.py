"""Vietnamese and English, read by grammar and tables of words, for both policies.

`decompose` takes a question apart, `questions` says what a single one asks for, and `wording`
matches words. Nothing here judges a passage.
"""
