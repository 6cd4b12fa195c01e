import type { DemoWords } from './en.js'

export const es: DemoWords = {
  title: 'Los dos teléfonos',
  help: 'La red simulada hace de ambos. Lo que escribe aquí sale del propio teléfono.',
  phoneOf: (name: string) => `Teléfono de ${name}`,
  messages: (name: string) => `Mensajes en el teléfono de ${name}`,
  writeTo: (from: string, to: string) => `${from} escribe a ${to}`,
  send: 'Enviar',
  scanWith: (name: string) => `Escanear con el teléfono de ${name}`,
  typeOn: (name: string) => `Escribirlo en el teléfono de ${name}`,
}
