"""Facts: what rules and documents can read of a configuration, and the algorithms behind what needs one."""
