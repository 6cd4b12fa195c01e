export type PresenceKind = 'composing' | 'recording' | 'paused'
