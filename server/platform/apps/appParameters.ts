import type { FileUpload } from './appDefinitions.ts'
import type { InputForm } from './inputForm.ts'

/**
 * Megabytes, except the last, which is a number of files. No application here accepts audio or video, so those have
 * the general limit.
 */
export const UPLOAD_LIMITS_MB = {
  file_size_limit: 15,
  image_file_size_limit: 10,
  audio_file_size_limit: 15,
  video_file_size_limit: 15,
  workflow_file_upload_limit: 10,
}

interface AnnotationReplySettings {
  id: string
  score_threshold: number
  embedding_provider_name: string | null
  embedding_model_name: string | null
}

interface ShownApp {
  mode: 'chat' | 'completion' | 'workflow' | 'advanced-chat'
  opening_statement: string
  suggested_questions: string[]
  user_input_form: InputForm
  file_upload: FileUpload
  /** Whether answers cite passages. */
  cites: boolean
  /** Null where it is off. */
  annotation_reply: AnnotationReplySettings | null
}

/** Maximum files that a form of upstream's screens accepts at once. */
const BATCH_COUNT_LIMIT = 5

/**
 * The reply of operation 13: the interface's three fields and those that upstream adds, which differ by the mode.
 * `file_upload` has both of its generations: `image` as in the interface, and the newer keys.
 */
export function toParameters({ file_upload, ...app }: ShownApp) {
  // Chatflows have the fields of workflows, as upstream.
  const isWorkflow = app.mode === 'workflow' || app.mode === 'advanced-chat'
  const { enabled, number_limits, allowed_file_types, allowed_file_extensions, allowed_file_upload_methods } =
    file_upload
  return {
    opening_statement: app.mode === 'completion' ? app.opening_statement || null : app.opening_statement,
    suggested_questions: app.suggested_questions,
    suggested_questions_after_answer: { enabled: false },
    speech_to_text: { enabled: false },
    text_to_speech: { enabled: false, ...(isWorkflow ? { voice: '', language: '' } : {}) },
    retriever_resource: { enabled: app.cites },
    annotation_reply: toAnnotationReply(app.annotation_reply),
    more_like_this: { enabled: false },
    user_input_form: app.user_input_form,
    sensitive_word_avoidance: { enabled: false, ...(isWorkflow ? {} : { type: '', config: {} }) },
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
      ...(isWorkflow ? { fileUploadConfig: { ...UPLOAD_LIMITS_MB, batch_count_limit: BATCH_COUNT_LIMIT } } : {}),
    },
    system_parameters: UPLOAD_LIMITS_MB,
  }
}

function toAnnotationReply(settings: AnnotationReplySettings | null) {
  if (!settings) return { enabled: false }
  const { id, score_threshold, embedding_provider_name, embedding_model_name } = settings
  return { id, enabled: true, score_threshold, embedding_model: { embedding_provider_name, embedding_model_name } }
}
