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
  resendHelp: 'The receiver gets the same event under the same webhook-id.',
  resent: 'It is sent again now.',
  onItsWay: 'It waits for its next attempt.',
  notResent: 'It was not sent: the event is no longer kept, or the webhook no longer takes its kind.',
  again: 'sent again',
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
  resendHelp: 'O destino recebe o mesmo evento com o mesmo webhook-id.',
  resent: 'Está sendo enviada de novo.',
  onItsWay: 'Aguarda a próxima tentativa.',
  notResent: 'Não foi enviada: o evento não está mais guardado, ou o webhook não recebe mais esse tipo.',
  again: 'enviada de novo',
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
  resendHelp: 'El destino recibe el mismo evento con el mismo webhook-id.',
  resent: 'Se envía de nuevo ahora.',
  onItsWay: 'Espera el próximo intento.',
  notResent: 'No se envió: el evento ya no está guardado, o el webhook ya no recibe ese tipo.',
  again: 'enviada de nuevo',
}

export const useReceiverWords = areaWords({ 'pt-BR': ptBr, es, en })
