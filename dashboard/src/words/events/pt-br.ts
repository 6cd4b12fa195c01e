import type { EventWords } from './en.js'

export const ptBr: EventWords = {
  title: 'Eventos',
  help: 'Os eventos aparecem aqui quando acontecem e ficam enquanto esta página está aberta. Olhar não muda nada.',
  kinds: 'Tipos (nenhum escolhido: todos)',
  search: 'Eventos com este texto',
  pause: 'Pausar',
  resume: 'Continuar',
  clear: 'Limpar',
  count: (all, shown) => `${all} chegaram, ${shown} à vista`,
  missed: (count) => `Em pausa: ${count} não guardados`,
  none: 'Nenhum evento ainda. Escreva para a conta de um telefone.',
  choose: 'Escolha um evento para abri-lo.',
  cut: 'Este evento é grande demais para ser mostrado como árvore.',
  raw: 'Como texto',
}
