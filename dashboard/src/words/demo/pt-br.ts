import type { DemoWords } from './en.js'

export const ptBr: DemoWords = {
  title: 'Os dois telefones',
  help: 'A rede simulada faz o papel dos dois. O que você escreve aqui sai do próprio telefone.',
  phoneOf: (name: string) => `Telefone de ${name}`,
  messages: (name: string) => `Mensagens no telefone de ${name}`,
  writeTo: (from: string, to: string) => `${from} escreve para ${to}`,
  send: 'Enviar',
  scanWith: (name: string) => `Escanear com o telefone de ${name}`,
  typeOn: (name: string) => `Digitar no telefone de ${name}`,
}
