"""The proposal: everything that documents print, translated and formatted once. Outputs only lay it out."""
