import type { FileUpload } from './appDefinitions.ts'
import type { InputForm } from './inputForm.ts'

/**
 * Megabytes, except the last, which is a number of files. No application here takes audio or video, so those have the
 * general limit.
 */
export const UPLOAD_LIMITS_MB = {
  file_size_limit: 15,
  image_file_size_limit: 10,
  audio_file_size_limit: 15,
  video_file_size_limit: 15,
  workflow_file_upload_limit: 10,
}

interface ShownApp {
  opening_statement?: string
  suggested_questions?: string[]
  user_input_form: InputForm
  file_upload: FileUpload
  /** Whether answers cite passages. */
  cites: boolean
  annotation_reply: boolean
}

/**
 * The reply of operation 13: the interface's three fields and those that upstream adds. `file_upload` has both of its
 * generations: `image` as in the interface, and the newer keys.
 */
export function toParameters({ file_upload, ...app }: ShownApp) {
  const { enabled, number_limits, allowed_file_types, allowed_file_extensions, allowed_file_upload_methods } =
    file_upload
  return {
    opening_statement: app.opening_statement ?? '',
    suggested_questions: app.suggested_questions ?? [],
    suggested_questions_after_answer: { enabled: false },
    speech_to_text: { enabled: false },
    text_to_speech: { enabled: false, voice: '', language: '', autoPlay: 'disabled' },
    retriever_resource: { enabled: app.cites },
    annotation_reply: { enabled: app.annotation_reply },
    more_like_this: { enabled: false },
    user_input_form: app.user_input_form,
    sensitive_word_avoidance: { enabled: false },
    file_upload: {
      image: {
        enabled: enabled && allowed_file_types.includes('image'),
        number_limits,
        detail: 'high',
        transfer_methods: allowed_file_upload_methods,
      },
      enabled,
      number_limits,
      allowed_file_types,
      allowed_file_extensions,
      allowed_file_upload_methods,
    },
    system_parameters: UPLOAD_LIMITS_MB,
  }
}
