namespace MgbaBridge.Lab.Designs;

/// <summary>A socket for each request: nothing can be broken, but each request waits for its connection, and the script accepts a few in a frame.</summary>
internal sealed class SocketForEachRequest(int port) : Design(port)
{
    public override async Task<Reply> SendAsync(string command, CancellationToken cancel)
    {
        using var socket = await ScriptSocket.OpenAsync(Port, cancel);
        return await socket.SendAsync(command, cancel);
    }
}
