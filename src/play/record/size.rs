//! How long something is as JSON, counted without being written: every event of a trace is asked.

use super::event::Event;
use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use std::fmt::{Display, Error};

/// Bytes that an event takes in JSON Lines.
pub fn size(event: &Event) -> usize {
    let mut size = Size(1);
    // nothing is written, so nothing can fail
    let _ = event.serialize(&mut size);
    size.0
}

/// Bytes so far.
struct Size(usize);

impl Size {
    fn add(&mut self, bytes: usize) -> Result<(), Error> {
        self.0 += bytes;
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), Error> {
        let more: usize = text.bytes().map(|byte| usize::from(MORE[byte as usize])).sum();
        self.add(text.len() + more + 2)
    }

    /// Parts between brackets.
    fn parts(&mut self) -> Result<Parts<'_>, Error> {
        self.add(1)?;
        Ok(Parts { size: self, any: false, ends: 1 })
    }

    /// The same in an object whose only key is this.
    fn under(&mut self, key: &str) -> Result<Parts<'_>, Error> {
        self.add(2)?;
        self.text(key)?;
        Ok(Parts { ends: 2, ..self.parts()? })
    }
}

/// Bytes that a byte of a text takes more than one, as it is escaped.
const MORE: [u8; 256] = {
    let mut more = [0; 256];
    let mut byte = 0;
    while byte < 0x20 {
        more[byte] = 5;
        byte += 1;
    }
    let short = b"\"\\\n\r\t\x08\x0c";
    let mut n = 0;
    while n < short.len() {
        more[short[n] as usize] = 1;
        n += 1;
    }
    more
};

/// Parts with commas between them.
struct Parts<'a> {
    size: &'a mut Size,
    any: bool,
    /// Brackets at the end.
    ends: usize,
}

impl Parts<'_> {
    fn part(&mut self, part: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        self.size.0 += usize::from(std::mem::replace(&mut self.any, true));
        part.serialize(&mut *self.size)
    }

    fn field(&mut self, key: &str, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        self.part(key)?;
        self.size.0 += 1;
        value.serialize(&mut *self.size)
    }
}

macro_rules! parts {
    ($($sort:ident $put:ident($($key:ident: $ty:ty)?) $how:ident,)*) => {$(
        impl $sort for Parts<'_> {
            type Ok = ();
            type Error = Error;
            fn $put<T: Serialize + ?Sized>(&mut self, $($key: $ty,)? value: &T) -> Result<(), Error> {
                self.$how($($key,)? value)
            }
            fn end(self) -> Result<(), Error> {
                self.size.add(self.ends)
            }
        }
    )*};
}

parts! {
    SerializeSeq serialize_element() part,
    SerializeTuple serialize_element() part,
    SerializeTupleStruct serialize_field() part,
    SerializeTupleVariant serialize_field() part,
    SerializeStruct serialize_field(key: &'static str) field,
    SerializeStructVariant serialize_field(key: &'static str) field,
}

impl SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Error;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.part(key)
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.size.0 += 1;
        value.serialize(&mut *self.size)
    }
    fn end(self) -> Result<(), Error> {
        self.size.add(self.ends)
    }
}

macro_rules! numbers {
    ($($put:ident $ty:ty,)*) => {$(
        fn $put(self, n: $ty) -> Result<(), Error> {
            let n = i128::from(n);
            let digits = n.unsigned_abs().checked_ilog10().map_or(1, |last| last as usize + 1);
            self.add(digits + usize::from(n < 0))
        }
    )*};
}

impl<'a> Serializer for &'a mut Size {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Parts<'a>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

    numbers! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64,
    }

    fn serialize_bool(self, yes: bool) -> Result<(), Error> {
        self.add(if yes { 4 } else { 5 })
    }
    fn serialize_f32(self, _: f32) -> Result<(), Error> {
        Err(Error)
    }
    fn serialize_f64(self, _: f64) -> Result<(), Error> {
        Err(Error)
    }
    fn serialize_char(self, c: char) -> Result<(), Error> {
        self.text(c.encode_utf8(&mut [0; 4]))
    }
    fn serialize_str(self, text: &str) -> Result<(), Error> {
        self.text(text)
    }
    fn serialize_bytes(self, _: &[u8]) -> Result<(), Error> {
        Err(Error)
    }
    fn serialize_none(self) -> Result<(), Error> {
        self.add(4)
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Result<(), Error> {
        self.add(4)
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.add(4)
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<(), Error> {
        self.text(name)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.add(3)?;
        self.text(name)?;
        value.serialize(self)
    }
    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'a>, Error> {
        self.parts()
    }
    fn serialize_tuple(self, _: usize) -> Result<Parts<'a>, Error> {
        self.parts()
    }
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, Error> {
        self.parts()
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Error> {
        self.under(name)
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'a>, Error> {
        self.parts()
    }
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, Error> {
        self.parts()
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Error> {
        self.under(name)
    }
    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Error> {
        self.text(&value.to_string())
    }
}
