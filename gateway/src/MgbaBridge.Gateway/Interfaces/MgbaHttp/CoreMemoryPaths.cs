using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary><c>/core</c>: memory by its address on the bus.</summary>
internal static class CoreMemoryPaths
{
    /// <summary>Adds them.</summary>
    public static void Map(MgbaHttpPaths paths)
    {
        var (address, value) = (QueryParameters.Address, paths.Dialect.Value());
        foreach (var width in Enum.GetValues<CellWidth>())
        {
            paths.Map(
                HttpMethods.Get, $"/core/read{(int)width}", $"Reads {(int)width} bits, unsigned.",
                Parameters.Of(address, at => new ReadCell(Location.Bus(at), width)), static reply => MgbaHttpAnswer.Of(ReadCell.Parse(reply)), "255");
        }

        paths.Map(
            "/core/write8", "Writes 8 bits.",
            Parameters.Of(address, QueryParameters.Value, static (at, value) => new WriteCell(Location.Bus(at), CellWidth.Byte, (byte)value)));
        paths.Map("/core/write16", "Writes 16 bits.", Parameters.Of(address, value, static (at, value) => new WriteCell(Location.Bus(at), CellWidth.Half, (ushort)value)));
        paths.Map("/core/write32", "Writes 32 bits.", Parameters.Of(address, value, static (at, value) => new WriteCell(Location.Bus(at), CellWidth.Word, value)));
        paths.MapBytes(
            HttpMethods.Get, "/core/readrange", "Reads bytes as hex with commas between, or as they are for Accept: application/octet-stream.",
            Parameters.Of(address, QueryParameters.Length, static (at, length) => new ReadMemory(Location.Bus(at), length)), "d3,00,00,ea,66,00,00,ea");
    }
}
