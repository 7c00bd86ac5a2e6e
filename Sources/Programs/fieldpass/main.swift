print("fieldpass")
