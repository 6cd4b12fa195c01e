/** The words of charts, in each language. */
import { makeWordsHook } from './index.js'

const en = {
  chartOf: (title: string) => `${title}. Arrow keys read the values.`,
  tableOf: (title: string) => `${title} as a table`,
  time: 'Time',
  none: 'none',
}

type ChartWords = typeof en

const ptBr: ChartWords = {
  chartOf: (title) => `${title}. As setas leem os valores.`,
  tableOf: (title) => `${title} em tabela`,
  time: 'Hora',
  none: 'nenhum',
}

const es: ChartWords = {
  chartOf: (title) => `${title}. Las flechas leen los valores.`,
  tableOf: (title) => `${title} en tabla`,
  time: 'Hora',
  none: 'ninguno',
}

export const useChartWords = makeWordsHook({ 'pt-BR': ptBr, es, en })
