"""The workshop: programs that build, measure and tune the engine. Nothing else imports them."""
