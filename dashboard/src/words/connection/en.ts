/** The words of the connection of an instance. The other languages have the same keys, or they do not compile. */
export const en = {
  picture: 'State of the connection',
  states: {
    disconnected: 'disconnected',
    pairing: 'pairing',
    opening: 'opening',
    connected: 'connected',
    waiting: 'waiting',
  },
  described: (state: string, cause: string) =>
    cause === '' ? `The connection is ${state}.` : `The connection is ${state}. Its last end had the cause ${cause}.`,
  next: (attempt: number) => `Attempt ${attempt} begins`,
  health: 'Health',
  since: 'In this state since',
  wanted: 'Should be connected',
  yes: 'yes',
  no: 'no',
  heard: 'Last heard from WhatsApp',
  message: 'Last message',
  ack: 'Last send taken by WhatsApp',
  undecrypted: 'Last message that could not be decrypted',
  unacknowledged: 'Sends not taken yet',
  held: 'Held until stored',
  queued: 'In the queue',
  parked: 'Held back by limits',
  never: 'never',
}

export type ConnectionWords = typeof en
