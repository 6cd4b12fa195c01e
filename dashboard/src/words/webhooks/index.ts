import { makeWordsHook } from '../index.js'
import { en } from './en.js'
import { es } from './es.js'
import { ptBr } from './pt-br.js'

export const useWebhookWords = makeWordsHook({ 'pt-BR': ptBr, es, en })
