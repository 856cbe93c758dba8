-- Applies to what is added from now on; the index itself stays as it is.
ALTER INDEX "platform"."passages_by_terms" SET (gin_pending_list_limit=512);
