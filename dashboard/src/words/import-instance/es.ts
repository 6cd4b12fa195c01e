import type { ImportWords } from './en.js'

export const es: ImportWords = {
  help: 'Después la cuenta del archivo funciona aquí, con el mismo id y el mismo token. Donde se exportó queda apagada.',
  file: 'Archivo exportado',
  fileHelp: (size) => `Como máximo ${size}.`,
  tooLarge: (size) => `Debe tener como máximo ${size}.`,
  passphrase: 'Contraseña del archivo',
  connect: 'Conectarla enseguida',
  submit: 'Importar',
}
