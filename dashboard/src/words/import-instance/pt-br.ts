import type { ImportWords } from './en.js'

export const ptBr: ImportWords = {
  help: 'Depois a conta do arquivo funciona aqui, com o mesmo id e o mesmo token. Onde foi exportada ela fica desligada.',
  file: 'Arquivo exportado',
  fileHelp: (size) => `No máximo ${size}.`,
  tooLarge: (size) => `Deve ter no máximo ${size}.`,
  passphrase: 'Senha do arquivo',
  connect: 'Conectar logo',
  submit: 'Importar',
}
