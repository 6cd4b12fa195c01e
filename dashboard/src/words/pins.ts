/** The words of pinned messages, in all languages. */
import { makeWordsHook } from './index.js'

const en = {
  pin: 'Pin',
  unpin: 'Unpin',
  title: 'Pin for everybody in the chat',
  howLong: 'For how long',
  days: { 1: '1 day', 7: '7 days', 30: '30 days' },
  pinned: 'Pinned messages',
  withoutText: 'A message without text',
  more: 'Look for older pins',
}

export type PinWords = typeof en

const ptBr: PinWords = {
  pin: 'Fixar',
  unpin: 'Desafixar',
  title: 'Fixar para todos na conversa',
  howLong: 'Por quanto tempo',
  days: { 1: '1 dia', 7: '7 dias', 30: '30 dias' },
  pinned: 'Mensagens fixadas',
  withoutText: 'Uma mensagem sem texto',
  more: 'Buscar fixadas mais antigas',
}

const es: PinWords = {
  pin: 'Fijar',
  unpin: 'Dejar de fijar',
  title: 'Fijar para todos en el chat',
  howLong: 'Por cuánto tiempo',
  days: { 1: '1 día', 7: '7 días', 30: '30 días' },
  pinned: 'Mensajes fijados',
  withoutText: 'Un mensaje sin texto',
  more: 'Buscar fijados anteriores',
}

export const usePinWords = makeWordsHook({ 'pt-BR': ptBr, es, en })
