import type { FirstMessageWords } from './en.js'

export const ptBr: FirstMessageWords = {
  title: 'Enviar uma primeira mensagem',
  help: 'Primeiro para o seu próprio número, ou para qualquer outro.',
  to: 'Para',
  text: 'Texto',
  hello: 'Olá do Posthorn',
  send: 'Enviar',
  asCurl: 'O mesmo a partir do seu código',
  conversation: 'Últimas mensagens',
  nothing: 'O que você envia, e o que volta, aparece aqui.',
  you: 'Você',
  noText: (kind) => `(${kind})`,
  status: {
    scheduled: 'agendada',
    queued: 'na fila',
    pending: 'a caminho',
    sent: 'enviada',
    delivered: 'entregue',
    read: 'lida',
    played: 'ouvida',
    failed: 'falhou',
    canceled: 'cancelada',
    deleted: 'apagada',
  },
}
