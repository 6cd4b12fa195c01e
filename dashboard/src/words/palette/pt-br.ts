import type { PaletteWords } from './en.js'

export const ptBr: PaletteWords = {
  title: 'Ir para',
  label: 'Página, instância ou ação',
  results: 'Encontrados',
  page: 'página',
  ofThisInstance: 'página desta instância',
  instance: 'instância',
  action: 'ação',
  chat: 'conversa',
  showMissing: 'Mostrar instâncias sem conexão',
  showUnread: 'Mostrar conversas não lidas',
  showBoard: 'Mostrar o quadro de leads',
  newCampaign: 'Nova campanha',
  showDead: 'Mostrar entregas abandonadas',
  nothing: 'Nada corresponde.',
  found: (count) => (count === 1 ? '1 item' : `${count} itens`),
}
