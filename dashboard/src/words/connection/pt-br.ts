import type { ConnectionWords } from './en.js'

export const ptBr: ConnectionWords = {
  picture: 'Estado da conexão',
  states: {
    disconnected: 'desconectada',
    pairing: 'pareando',
    opening: 'abrindo',
    connected: 'conectada',
    waiting: 'esperando',
  },
  described: (state, cause) =>
    cause === '' ? `A conexão está: ${state}.` : `A conexão está: ${state}. O último fim teve a causa ${cause}.`,
  next: (attempt) => `A tentativa ${attempt} começa`,
  health: 'Saúde',
  since: 'Neste estado desde',
  wanted: 'Deveria estar conectada',
  yes: 'sim',
  no: 'não',
  heard: 'Último sinal do WhatsApp',
  message: 'Última mensagem',
  ack: 'Último envio aceito pelo WhatsApp',
  undecrypted: 'Última mensagem que não pôde ser decifrada',
  unacknowledged: 'Envios ainda não aceitos',
  held: 'Retidos até serem guardados',
  queued: 'Na fila',
  parked: 'Retidos por limites',
  never: 'nunca',
}
