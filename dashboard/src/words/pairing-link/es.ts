import type { PairingLinkWords } from './en.js'

export const es: PairingLinkWords = {
  title: (name) => `Vincula un teléfono a «${name}»`,
  help: 'Con esta página la cuenta de tu teléfono se vincula al gateway. No puede hacer nada más.',
  until: (time) => `Esta página funciona hasta las ${time}.`,
  done: 'El teléfono está vinculado. Puedes cerrar esta página.',
  ended: 'Este enlace ya se usó o ha caducado. Pide uno nuevo.',
  make: 'Enlace para vincular',
  makeTitle: 'Deja que otra persona vincule',
  makeHelp:
    'El enlace muestra el código de esta instancia y nada más. Funciona una vez, durante 15 minutos, y termina cuando cierras la sesión.',
}
