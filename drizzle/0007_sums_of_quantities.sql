-- A check can't sum an array by itself.
CREATE FUNCTION sum_of(quantities bigint[]) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT sum(quantity) FROM unnest(quantities) quantity
$$;
