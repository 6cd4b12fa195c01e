import type { PairingLinkWords } from './en.js'

export const ptBr: PairingLinkWords = {
  title: (name) => `Conecte um telefone a “${name}”`,
  help: 'Com esta página a conta do seu telefone é conectada ao gateway. Ela não faz mais nada.',
  until: (time) => `Esta página funciona até ${time}.`,
  done: 'O telefone está conectado. Você pode fechar esta página.',
  ended: 'Este link já foi usado ou expirou. Peça um novo.',
  make: 'Link para conectar',
  makeTitle: 'Deixe outra pessoa conectar',
  makeHelp:
    'O link mostra o código desta instância e nada mais. Ele funciona uma vez, em até 15 minutos, e termina quando você sai.',
}
