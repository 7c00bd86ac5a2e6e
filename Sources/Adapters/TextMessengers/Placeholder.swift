enum TextMessengersPlaceholder {}
