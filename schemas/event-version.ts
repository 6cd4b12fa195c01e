/**
 * The version of the shapes of events (`schemas/events/`), which each event carries in webhooks and streams. It grows when a field changes its
 * meaning or goes; new fields and new kinds leave it as it is, since readers ignore what they do not know.
 */
export const EVENT_SCHEMA_VERSION = 1
