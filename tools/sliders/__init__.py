"""`bluekrait sliders`: the gallery of slider techniques, measured side by side."""
