-- What the statement that moves a head asks of its row, so that an edit sends no statements that find nothing. A volatile
-- function in plpgsql sees what was committed when it is called, which is behind the lock of the row; the statement itself
-- sees what was there before it waited for that lock.

create function has_commented_pages(space text, change_request text) returns boolean volatile language plpgsql as $$
begin
  if change_request is null then
    return exists (select from comments where space_id = space and change_request_id is null and page_id is not null);
  end if;
  return exists (
    select from comments where space_id = space and change_request_id = change_request and page_id is not null);
end
$$;

create function is_pushed(space text) returns boolean volatile language plpgsql as $$
begin
  return exists (select from git_syncs where space_id = space and pushes);
end
$$;
