import { InputsAppPage } from './InputsPlayground.tsx'

/** `/completion`: the playground of the completion app in the URL, or an explanation. */
export const CompletionPage = () => <InputsAppPage kind="completion" />
