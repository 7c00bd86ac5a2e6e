"""Events of a person who types and presses buttons."""


def edited(field, text):
    return {"event": "field_edited", "field": field, "text": text}


def pressed(button):
    return {"event": "button_pressed", "button": button}
