declare const brand: unique symbol

/** A string that only its maker can hand out; the compiler keeps kinds apart. */
export type Branded<T, Name extends string> = T & { readonly [brand]: Name }

/** Names one instance: `i` and 15 lower-case letters or digits, unique in the whole installation, made once, never reused. */
export type InstanceId = Branded<string, 'InstanceId'>

/** The id of a message at the network. Unique per chat and sender only; ours are random, so unique per instance. */
export type MessageId = Branded<string, 'MessageId'>

/** An address at the network without a device part: `<digits>@s.whatsapp.net`, `<digits>@lid`, `<digits>@g.us`, … */
export type Jid = Branded<string, 'Jid'>
