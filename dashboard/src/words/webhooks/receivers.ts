/** The words of the pictures of a receiver, in each language. */
import { areaWords } from '../index.js'

const en = {
  strip: (count: string) =>
    `The newest ${count} deliveries, the latest at the right. The list of deliveries has each of them.`,
  durations: (half: string, slowest: string) => `Half took less than ${half}, the slowest ${slowest}.`,
  attempts: 'Attempts',
  after: (span: string) => `${span} later`,
  notYet: 'Not tried yet.',
  next: 'The next attempt:',
  noBody: 'The answer had no body.',
  sent: 'What was sent',
  showAnswer: 'Show the answer',
  resend: 'Send again',
  resent: 'It is sent again now.',
}

type ReceiverWords = typeof en

const ptBr: ReceiverWords = {
  strip: (count) => `As ${count} entregas mais novas, a última à direita. A lista de entregas tem cada uma.`,
  durations: (half, slowest) => `Metade levou menos de ${half}, a mais lenta ${slowest}.`,
  attempts: 'Tentativas',
  after: (span) => `${span} depois`,
  notYet: 'Ainda não foi tentada.',
  next: 'A próxima tentativa:',
  noBody: 'A resposta não tinha corpo.',
  sent: 'O que foi enviado',
  showAnswer: 'Mostrar a resposta',
  resend: 'Enviar de novo',
  resent: 'Está sendo enviada de novo.',
}

const es: ReceiverWords = {
  strip: (count) => `Las ${count} entregas más nuevas, la última a la derecha. La lista de entregas tiene cada una.`,
  durations: (half, slowest) => `La mitad tardó menos de ${half}, la más lenta ${slowest}.`,
  attempts: 'Intentos',
  after: (span) => `${span} después`,
  notYet: 'Todavía no se intentó.',
  next: 'El próximo intento:',
  noBody: 'La respuesta no tenía cuerpo.',
  sent: 'Lo que se envió',
  showAnswer: 'Mostrar la respuesta',
  resend: 'Enviar de nuevo',
  resent: 'Se envía de nuevo ahora.',
}

export const useReceiverWords = areaWords({ 'pt-BR': ptBr, es, en })
