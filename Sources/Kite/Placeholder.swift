// Sources arrive with the layer.
