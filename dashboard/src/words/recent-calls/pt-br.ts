import type { RecentCallWords } from './en.js'

export const ptBr: RecentCallWords = {
  title: 'Chamadas desta página',
  help: 'O que foi feito aqui por último, como um aplicativo faria. Sem os segredos.',
  withReads: 'Também o que só foi lido',
  none: 'Nada foi alterado aqui ainda.',
}
