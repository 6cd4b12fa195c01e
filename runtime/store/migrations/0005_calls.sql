-- Which calls ring is read from the log of events, on whichever node an instance lives: the few events of that kind are found without
-- reading the others; and those that were told already, when the network tells them again.
CREATE INDEX event_call ON event (instance_id, created) WHERE kind = 'call';
