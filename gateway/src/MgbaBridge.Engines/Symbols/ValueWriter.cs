using System.Buffers;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>Writes a property where its pointers lead: in the frame of the write they are looked at again, and if one points elsewhere nothing is done.</summary>
public static class ValueWriter
{
    /// <summary>The batch that does it.</summary>
    public static BatchItems Batch(NamedValue found, bool isGameBoy, ReadOnlyMemory<byte> bytes)
    {
        var items = new BatchItems();
        foreach (var pointer in found.Pointers)
        {
            items.Add(new GuardNumber(isGameBoy ? CellWidth.Half : CellWidth.Word, pointer.Location, Comparison.Eq, pointer.Address));
        }

        // one access of the number's own width, as the processor would do it: registers of the machine are not bytes
        var (place, bits) = (found.Location!.Value, found.Property.Type is ScalarType { Endian: Endian.Little } number ? number.Type : default(NumberType?));
        if (bits is { } type)
        {
            items.Add(new WriteCell(place, type.Width(), type.Read(bytes.Span)));
        }
        else
        {
            items.Add(new WriteMemory(place, new ReadOnlySequence<byte>(bytes)));
        }

        return items;
    }
}
