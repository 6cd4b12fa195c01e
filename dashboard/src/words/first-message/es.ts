import type { FirstMessageWords } from './en.js'

export const es: FirstMessageWords = {
  title: 'Enviar un primer mensaje',
  help: 'Primero a su propio número, o a cualquier otro.',
  to: 'Para',
  text: 'Texto',
  hello: 'Hola de Posthorn',
  send: 'Enviar',
  asCurl: 'Lo mismo desde su código',
  conversation: 'Últimos mensajes',
  nothing: 'Lo que envía, y lo que vuelve, aparece aquí.',
  you: 'Usted',
  noText: (kind) => `(${kind})`,
  status: {
    scheduled: 'programado',
    queued: 'en cola',
    pending: 'en camino',
    sent: 'enviado',
    delivered: 'entregado',
    read: 'leído',
    played: 'escuchado',
    failed: 'falló',
    canceled: 'cancelado',
    deleted: 'borrado',
  },
}
