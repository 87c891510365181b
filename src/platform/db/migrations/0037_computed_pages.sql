-- Which spaces compute pages: asked for by a search through many.
create index live_pages_computed on live_pages (projection_id) where type = 'computed';
