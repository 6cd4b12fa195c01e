/** Baileys' Signal repository wants a logger; a phone has nothing to say. */
const nothing = (): void => {}

export const silentLogger = {
  level: 'silent',
  child: () => silentLogger,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
}
