import type { ConnectionWords } from './en.js'

export const es: ConnectionWords = {
  picture: 'Estado de la conexión',
  states: {
    disconnected: 'desconectada',
    pairing: 'vinculando',
    opening: 'abriendo',
    connected: 'conectada',
    waiting: 'esperando',
  },
  described: (state, cause) =>
    cause === '' ? `La conexión está: ${state}.` : `La conexión está: ${state}. Su último fin tuvo la causa ${cause}.`,
  next: (attempt) => `El intento ${attempt} empieza`,
  health: 'Salud',
  since: 'En este estado desde',
  wanted: 'Debería estar conectada',
  yes: 'sí',
  no: 'no',
  heard: 'Última señal de WhatsApp',
  message: 'Último mensaje',
  ack: 'Último envío aceptado por WhatsApp',
  undecrypted: 'Último mensaje que no se pudo descifrar',
  unacknowledged: 'Envíos aún no aceptados',
  held: 'Retenidos hasta guardarse',
  queued: 'En la cola',
  parked: 'Retenidos por límites',
  never: 'nunca',
}
