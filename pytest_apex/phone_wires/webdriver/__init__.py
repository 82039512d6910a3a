"""What the WebDriver servers on the phone share: errors of the standard, routes, values, element names."""
