"""CECP, the protocol of xboard."""
