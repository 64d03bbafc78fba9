// Tests arrive with what they test.
