"""Programs that build, measure and tune the engine. Nothing else imports them."""
