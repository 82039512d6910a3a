"""What expect() asks: checks that wait, and what they compare a screen with."""
