/** Why a delivery failed, in each language, by the code of the API. */
import { makeWordsHook } from '../index.js'

const en = {
  answered: (status: number) => `The receiver answered with status ${status}.`,
  codes: {
    redirect: 'The receiver redirects to another address, which is not followed.',
    timeout: 'The receiver did not answer in time.',
    dns: 'The name of the receiver was not found.',
    address: 'The address of the receiver is not allowed.',
    connect: 'The receiver accepts no connection.',
    tls: 'The encrypted connection failed, for example because of the certificate.',
    closed: 'The connection broke, or the receiver does not speak HTTP.',
    too_old: 'The delivery became too old.',
    blocked: 'The delivery blocked the gateway twice.',
    other: 'The delivery failed.',
  },
}

type FailureWords = typeof en

const ptBr: FailureWords = {
  answered: (status) => `O destino respondeu com o status ${status}.`,
  codes: {
    redirect: 'O destino redireciona para outro endereço, que não é seguido.',
    timeout: 'O destino não respondeu a tempo.',
    dns: 'O nome do destino não foi encontrado.',
    address: 'O endereço do destino não é permitido.',
    connect: 'O destino não aceita conexões.',
    tls: 'A conexão criptografada falhou, por exemplo por causa do certificado.',
    closed: 'A conexão caiu, ou o destino não fala HTTP.',
    too_old: 'A entrega ficou velha demais.',
    blocked: 'A entrega travou o gateway duas vezes.',
    other: 'A entrega falhou.',
  },
}

const es: FailureWords = {
  answered: (status) => `El destino respondió con el estado ${status}.`,
  codes: {
    redirect: 'El destino redirige a otra dirección, que no se sigue.',
    timeout: 'El destino no respondió a tiempo.',
    dns: 'No se encontró el nombre del destino.',
    address: 'La dirección del destino no está permitida.',
    connect: 'El destino no acepta conexiones.',
    tls: 'La conexión cifrada falló, por ejemplo por el certificado.',
    closed: 'La conexión se cortó, o el destino no habla HTTP.',
    too_old: 'La entrega quedó demasiado vieja.',
    blocked: 'La entrega bloqueó el gateway dos veces.',
    other: 'La entrega falló.',
  },
}

const useFailureWords = makeWordsHook({ 'pt-BR': ptBr, es, en })

/** Returns the sentence for a code; a newer gateway may have others. Empty: nothing failed. */
export function useDeliveryFailure(): (code: string, status: number | null) => string {
  const { answered, codes } = useFailureWords()
  return (code, status) => {
    if (code === '') return ''
    if (code === 'status' && status !== null) return answered(status)
    return (codes as Readonly<Record<string, string>>)[code] ?? codes.other
  }
}
