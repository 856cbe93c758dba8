export function corpus(chars: number): string
